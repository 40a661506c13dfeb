#!/usr/bin/env bash
# Makes the README's pictures of VS Code from the screenshots that tests/editors/run.sh leaves: docs/vscode.png, and
# docs/rename.gif, which shows them one after the other. Needs ImageMagick.
#
#   SMOKE_SCALE=1.5 tests/editors/run.sh target/release/toolnames examples/demo
#   docs/pictures.sh .cache/editors/out
set -euo pipefail
from=${1:?the folder with the screenshots}
to=$(dirname "${BASH_SOURCE[0]}")
"${CONVERT:-convert}" "$from/vscode-tools-open.png" -colors 255 "PNG8:$to/vscode.png"
frames=()
for frame in before-rename:150 rename:200 rename-preview:250 rename-alias-ticked:250 renamed:400; do
    frames+=(-delay "${frame#*:}" "$from/vscode-${frame%:*}.png")
done
"${CONVERT:-convert}" "${frames[@]}" -resize 1200x -layers OptimizeFrame -colors 128 -loop 0 "$to/rename.gif"
