/** A piece of text as it lies on a page: PDF units, the origin at the lower left, `y` that of the base line, both as if the text were upright. */
export interface TextPiece {
  readonly text: string
  /** Quarters of a turn to the left in which it is written: 1 on the pages of wide tables. */
  readonly turn: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Two pieces stand on one line when their base lines are no further apart, in heights of the letters. */
const SAME_LINE = 0.35
/** A gap that is wider, in heights, is a blank. */
const BLANK = 0.18

/** Line of marks alone, which a file draws above its letters as pieces of their own. */
const MARKS_ALONE = /^[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e ]+$/

/** Place and turn of a piece from its matrix [a b c d x y]: turned back, so that lines lie level. */
export function placeOf([a = 1, b = 0, , , x = 0, y = 0]: readonly number[]): Pick<TextPiece, 'x' | 'y' | 'turn'> {
  const turn = (Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4
  if (turn === 0) return { x, y, turn }
  if (turn === 1) return { x: y, y: -x, turn }
  return turn === 2 ? { x: -x, y: -y, turn } : { x: -y, y: x, turn }
}

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

function linesOf(pieces: readonly TextPiece[]): string[] {
  const lines: string[] = []
  let line: TextPiece[] = []
  for (const piece of pieces.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const first = line[0]
    if (first && first.y - piece.y > SAME_LINE * Math.max(first.height, piece.height)) {
      lines.push(joinLine(line))
      line = []
    }
    line.push(piece)
  }
  if (line.length > 0) lines.push(joinLine(line))
  return lines.filter((text) => text !== '' && !MARKS_ALONE.test(text))
}

/**
 * The lines of a page as the eye reads them, joined by \n. The order in the file does not count: e-GP draws the printed words of a line first and what was
 * filled in later, so "ในวันที่ ๘ มิถุนายน ๒๕๖๙" stands in the file as "ในวันที่ ๘ / ระหว่างเวลา น. … มิถุนายน ๒๕๖๙". What is written in another
 * direction than most of the page (a stamp at its side) comes after it.
 */
export function assembleLines(pieces: readonly TextPiece[]): string {
  const drawn = pieces.filter(({ text }) => text.trim() !== '')
  const turns = [...Map.groupBy(drawn, ({ turn }) => turn).values()].sort((a, b) => b.length - a.length)
  return turns.flatMap(linesOf).join('\n')
}
