#!/bin/sh
# Makes src/fonts from the typeface's package: the weights and signs that the first second of a screen needs, 26 kB instead of 54.
# Needs fonttools and brotli (Debian: fonttools python3-brotli). To be run again when the package changes.
set -eu
cd "$(dirname "$0")/.."
from=node_modules/@fontsource-variable/anuphan
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

subset() { # NAME IN_PACKAGE UNICODES
  fonttools varLib.instancer "$from/files/anuphan-$2-wght-normal.woff2" wght=400:700 -o "$work/$1.ttf"
  pyftsubset "$work/$1.ttf" --unicodes="$3" --layout-features='*' --flavor=woff2 --output-file="src/fonts/$1.woff2"
}
subset anuphan-thai thai '*'
# What src/fonts/typeface.css names as the range of the second file.
subset anuphan-basic-latin latin 'U+0020-007E,U+00A0,U+00B7,U+00D7,U+00F7,U+2013-2014,U+2018-2019,U+201C-201D,U+2022,U+2026,U+2191,U+2193,U+2212'
cp "$from/LICENSE" src/fonts/OFL.txt
