/** Bidi controls (Unicode UAX #9): U+202E alone makes a screen draw everything behind it backwards. Thai and English need none of them. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Removes bidi control characters, also from printed JSON, which holds them literally. */
export const stripDirectionMarks = (text: string): string => text.replace(DIRECTION_MARKS, '')
