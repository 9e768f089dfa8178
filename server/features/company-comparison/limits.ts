/** Most rows of each block of a comparison; its totals say how many there are. */
export const MOST_COMMON = 500
export const MOST_PRICES = 3_000
export const MOST_DEPARTMENTS = 40
