/**
 * A piece of text on a page, in PDF units with the origin at the lower left; `y` is the baseline. Both coordinates are
 * already rotated upright.
 */
export interface PdfTextPiece {
  readonly text: string
  /** Quarter turns to the left; 1 on pages with wide tables. */
  readonly turn: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Maximum baseline distance within one line, in letter heights. */
const SAME_LINE = 0.35
/** Gaps wider than this many letter heights become a space. */
const BLANK = 0.18

/** Matches a line of combining marks only, which some files draw separately above the letters. */
const MARKS_ONLY = /^[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e ]+$/

/** Returns position and rotation from the matrix [a b c d x y], rotated back so that lines are horizontal. */
export function toUprightPosition([a = 1, b = 0, , , x = 0, y = 0]: readonly number[]): Pick<
  PdfTextPiece,
  'x' | 'y' | 'turn'
> {
  const turn = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4
  if (turn === 0) return { x, y, turn }
  if (turn === 1) return { x: y, y: -x, turn }
  return turn === 2 ? { x: -x, y: -y, turn } : { x: -y, y: x, turn }
}

function joinLine(pieces: PdfTextPiece[]): string {
  pieces.sort((a, b) => a.x - b.x)
  let line = ''
  let end = 0
  for (const piece of pieces) {
    if (line !== '' && piece.x - end > BLANK * piece.height) line += ' '
    line += piece.text
    end = piece.x + piece.width
  }
  return line.trim()
}

function linesOf(pieces: readonly PdfTextPiece[]): string[] {
  const lines: string[] = []
  let line: PdfTextPiece[] = []
  for (const piece of pieces.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const first = line[0]
    if (first && first.y - piece.y > SAME_LINE * Math.max(first.height, piece.height)) {
      lines.push(joinLine(line))
      line = []
    }
    line.push(piece)
  }
  if (line.length > 0) lines.push(joinLine(line))
  return lines.filter((text) => text !== '' && !MARKS_ONLY.test(text))
}

/**
 * Assembles the lines of a page in visual order, joined by newlines. The order in the file is useless: e-GP draws the
 * printed words of a line first and filled-in values later, so "ในวันที่ ๘ มิถุนายน ๒๕๖๙" is stored as "ในวันที่ ๘ /
 * ระหว่างเวลา น. … มิถุนายน ๒๕๖๙". Text in another direction (a stamp at the side) is appended.
 */
export function assemblePdfTextLines(pieces: readonly PdfTextPiece[]): string {
  const visiblePieces = pieces.filter(({ text }) => text.trim() !== '')
  const turns = [...Map.groupBy(visiblePieces, ({ turn }) => turn).values()].sort((a, b) => b.length - a.length)
  return turns.flatMap(linesOf).join('\n')
}
