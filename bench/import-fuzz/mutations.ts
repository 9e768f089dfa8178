import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'

/** Function that returns the next number in [0, 1) of a seeded sequence (mulberry32). */
export type Random = () => number
const below = (random: Random, limit: number) => Math.floor(random() * limit)
const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!

type Mutation = { readonly name: string; readonly apply: (content: Buffer, random: Random) => Buffer }

const spliced = (content: Buffer, from: number, count: number, insert: Uint8Array) =>
  Buffer.concat([content.subarray(0, from), insert, content.subarray(from + count)])
const inText = (change: (text: string, random: Random) => string) => (content: Buffer, random: Random) =>
  Buffer.from(change(content.toString('utf8'), random))
const inLines = (change: (lines: string[], random: Random) => string[]) =>
  inText((text, random) => change(text.split('\n'), random).join('\n'))

const DATES = [
  '31/02/2568',
  '7/2/1968',
  '45695',
  '๗ ก.พ. ๖๘',
  '0000-00-00',
  '9999-12-31',
  '2569-12-15T24:00:00Z',
  'ไม่มี',
  '',
]
const NUMBERS = [
  '-1',
  '1e400',
  '6.91E+10',
  '0105546135262',
  '1.000.000,50',
  '๑๒๓',
  '99999999999999999999',
  '.',
  '0',
  'NaN',
  '',
]
const IDS = [
  '69119900101',
  '69119900101.0',
  "'69119900101",
  'P69100030274',
  '6.91E+10',
  'ocds-x',
  '',
  '\u202e69119900101',
]
const SIGNS = [
  '\u0000',
  '\ufeff',
  '\u202e',
  '"',
  "'",
  ',',
  ';',
  '\t',
  '\r',
  '\n',
  '\ud800',
  '<',
  '&',
  '&#0;',
  ']]>',
  '{',
  '}',
  '[',
  ']',
  '\u00a0',
]
const SEPARATORS = [',', ';', '\t', '|']

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'byte',
    apply: (content, random) => spliced(content, below(random, content.length), 1, Buffer.from([below(random, 256)])),
  },
  {
    name: 'bytes inserted',
    apply: (content, random) => {
      const bytes = Buffer.from(Array.from({ length: 1 + below(random, 20) }, () => below(random, 256)))
      return spliced(content, below(random, content.length), 0, bytes)
    },
  },
  {
    name: 'cut out',
    apply: (content, random) => spliced(content, below(random, content.length), below(random, 400), Buffer.alloc(0)),
  },
  { name: 'broken off', apply: (content, random) => content.subarray(0, below(random, content.length)) },
  {
    name: 'repeated',
    apply: (content, random) => {
      const from = below(random, content.length)
      return spliced(content, from, 0, content.subarray(from, from + below(random, 2_000)))
    },
  },
  {
    name: 'shuffled lines',
    apply: inLines((lines, random) => {
      const [a, b] = [below(random, lines.length), below(random, lines.length)]
      return lines.with(a, lines[b]!).with(b, lines[a]!)
    }),
  },
  { name: 'a line less', apply: inLines((lines, random) => lines.toSpliced(below(random, lines.length), 1)) },
  {
    name: 'a line more',
    apply: inLines((lines, random) => lines.toSpliced(below(random, lines.length), 0, pick(random, lines))),
  },
  { name: 'windows-874', apply: (content) => iconv.encode(content.toString('utf8'), 'win874') },
  { name: 'read as Latin-1', apply: (content) => Buffer.from(content.toString('latin1')) },
  { name: 'UTF-16', apply: (content) => Buffer.from(`\ufeff${content.toString('utf8')}`, 'utf16le') },
  { name: 'packed', apply: (content) => gzipSync(content) },
  {
    name: 'separators',
    apply: inText((text, random) => text.replaceAll(pick(random, SEPARATORS), pick(random, SEPARATORS))),
  },
  {
    name: 'line ends',
    apply: inText((text, random) => text.replace(/\r?\n/g, pick(random, ['\r', '\r\n', '\n\n', '\n']))),
  },
  { name: 'sara am', apply: inText((text) => text.replaceAll('ำ', 'ํา')) },
  { name: 'a sign', apply: inText((text, random) => inserted(text, pick(random, SIGNS), random)) },
  {
    name: 'a date',
    apply: inText((text, random) => replaced(text, /\d{4}-\d\d-\d\d(?:T[\d:+]{5,14})?/g, pick(random, DATES), random)),
  },
  {
    name: 'a number',
    apply: inText((text, random) => replaced(text, /\d{3,12}(?:\.\d+)?/g, pick(random, NUMBERS), random)),
  },
  { name: 'an id', apply: inText((text, random) => replaced(text, /\d{11,13}/g, pick(random, IDS), random)) },
  { name: 'a JSON key', apply: inText((text, random) => replaced(text, /"[a-zA-Z_]{2,30}"\s?:/g, '"x":', random)) },
  {
    name: 'a JSON value',
    apply: inText((text, random) =>
      replaced(
        text,
        /:\s?("[^"]{0,60}"|[\d.]+)/g,
        pick(random, [': null', ': {}', ': []', ': [null]', ': true', ': 1e400', ': "\\u0000"']),
        random,
      ),
    ),
  },
]

const inserted = (text: string, sign: string, random: Random) => {
  const at = below(random, text.length + 1)
  return text.slice(0, at) + sign + text.slice(at)
}

function replaced(text: string, pattern: RegExp, by: string, random: Random): string {
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return text
  if (random() < 0.1) return text.replace(pattern, () => by)
  const match = pick(random, matches)
  return text.slice(0, match.index) + by + text.slice(match.index + match[0].length)
}

export function mutate(
  content: Buffer,
  random: Random,
): { readonly content: Buffer; readonly names: readonly string[] } {
  const names: string[] = []
  let changed = content
  for (let count = 1 + below(random, 4); count > 0 && changed.length > 0; count -= 1) {
    const { name, apply } = pick(random, MUTATIONS)
    changed = apply(changed, random)
    names.push(name)
  }
  return { content: changed, names }
}
