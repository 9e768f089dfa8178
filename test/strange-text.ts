import fc from 'fast-check'

/**
 * Hostile input: arbitrary bytes, syntax of SQL, LIKE, ranges and numbers, and fragments of the search grammar in any
 * order.
 */
export const hostileTextArbitrary = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    "'",
    '"',
    '\\',
    '%',
    '_',
    '||',
    '<<',
    '##',
    '((',
    "' or 1=1 --",
    "'; drop table users --",
    '\0',
    '\ud800',
    ',',
    '1,',
    '@99999,',
    '9'.repeat(40),
    '1e999',
    '-0',
    '-1',
    'null',
    '[object Object]',
    '๑๐',
  ),
  fc
    .array(fc.constantFrom('กล้อง', '##', '||', '<<', '(', ')', '"', '\\', ' ', '%', 'IT'), { maxLength: 12 })
    .map((parts) => parts.join('')),
)
