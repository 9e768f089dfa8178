import { type FlatParam, type IgnoredFlatParam, parseFlat, printFlat, type SearchOf } from '../http/flat-params.ts'

/** The address of the board. */

/** Days within which bids close; the first is no limit. */
export const BOARD_DUE = ['any', '7', '14', '30'] as const

export const BOARD_PARAMS = [
  /** Numbers of members; `none`: of nobody. */
  { name: 'owner', kind: 'list', th: 'ผู้ดูแล', accepts: (value) => /^(none|\d{1,9})$/.test(value) },
  { name: 'due', kind: 'choice', th: 'กำหนดยื่น', of: BOARD_DUE },
  /** Ids of stages whose column is not as wide as it would be by itself. */
  { name: 'fold', kind: 'list', th: 'คอลัมน์ที่พับ', accepts: (value) => /^[\w-]{1,40}$/.test(value) },
  /** The column that a phone shows. */
  { name: 'stage', kind: 'text', th: 'ขั้น' },
] as const satisfies readonly FlatParam[]
type Listed = (typeof BOARD_PARAMS)[number]
export type BoardSearch = SearchOf<Listed>

/** Reads flat name → text pairs. Never throws; what it cannot read is named in `ignored`. */
export function parseBoardSearch(flat: Readonly<Record<string, string>>): {
  readonly search: BoardSearch
  readonly ignored: readonly IgnoredFlatParam[]
} {
  return parseFlat<Listed>(BOARD_PARAMS, flat)
}

/** Prints a search in catalogue order, defaults left out. Reading it gives the same search. */
export function printBoardSearch(search: BoardSearch): Record<string, string> {
  return printFlat<Listed>(BOARD_PARAMS, search)
}

/** The filters of `GET /pursuits` that a search stands for. */
export const cardQueryOf = ({ owner, due }: BoardSearch): Record<string, string> => ({
  ...(owner === undefined ? {} : { owner: owner.join(',') }),
  ...(due === undefined ? {} : { due_within: due }),
})
