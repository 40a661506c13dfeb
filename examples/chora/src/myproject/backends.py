"""Which server answers for a namespace, where this one stands behind a gateway."""

from dataclasses import dataclass


@dataclass
class BackendConfig:
    namespace: str
    command: str


backends = {
    "chora": BackendConfig(namespace="chora", command="chora-compose"),
    "myproject": BackendConfig(namespace="myproject", command="myproject-server"),
}
