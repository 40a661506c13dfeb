# `pydantic`, as far as texts pass through it. What is not here is another package's.


def AnyUrl(url):
    return url


AnyHttpUrl = AnyUrl
AnyWebsocketUrl = AnyUrl
FileUrl = AnyUrl
HttpUrl = AnyUrl
