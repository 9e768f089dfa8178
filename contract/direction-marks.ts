/**
 * Bidi controls (Unicode UAX #9). A single U+202E reverses all following text on screen; Thai and English need none of
 * them.
 */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Removes bidi controls, also from serialised JSON, which contains them literally. */
export const stripDirectionMarks = (text: string): string => text.replace(DIRECTION_MARKS, '')
