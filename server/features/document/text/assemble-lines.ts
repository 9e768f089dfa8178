/** A piece of text as it lies on a page: PDF units, the origin at the lower left, `y` that of the base line. */
export interface TextPiece {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Two pieces stand on one line when their base lines are no further apart, in heights of the letters. */
const SAME_LINE = 0.35
/** A gap that is wider, in heights, is a blank. */
const BLANK = 0.18

function joinLine(pieces: TextPiece[]): string {
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

/**
 * The lines of a page as the eye reads them, joined by \n. The order in the file does not count: e-GP draws the printed words of a line first and what was
 * filled in later, so "ในวันที่ ๘ มิถุนายน ๒๕๖๙" stands in the file as "ในวันที่ ๘ / ระหว่างเวลา น. … มิถุนายน ๒๕๖๙".
 */
export function assembleLines(pieces: readonly TextPiece[]): string {
  const inOrder = pieces.filter(({ text }) => text.trim() !== '').sort((a, b) => b.y - a.y || a.x - b.x)
  const lines: string[] = []
  let line: TextPiece[] = []
  for (const piece of inOrder) {
    const first = line[0]
    if (first && first.y - piece.y > SAME_LINE * Math.max(first.height, piece.height)) {
      lines.push(joinLine(line))
      line = []
    }
    line.push(piece)
  }
  if (line.length > 0) lines.push(joinLine(line))
  return lines.filter((text) => text !== '').join('\n')
}
