import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DocumentFact, DocumentKind, FactName, FactValue } from '#contract/documents/document.ts'
import { findFacts } from '#server/documents/facts/find-facts.ts'
import { fold } from '#server/documents/facts/folded-text.ts'
import { kindOf } from '#server/documents/facts/kind.ts'
import { readPages } from '#server/documents/text/read-pages.ts'

// node scripts/check-documents.ts: what is read from documents against what people read from them. Ends with 1 when a limit is passed.

const SHARED = path.join(import.meta.dirname, '../../shared/documents')
export const areDocumentsThere = existsSync(SHARED)

/** A wrong value sends a user to a wrong deadline; a missed one to the document. Of 400 at most one may be wrong, of real text none. */
const MOST_WRONG = 1 / 400
const MOST_MISSED = 0.04

type Truth = Readonly<Record<string, unknown>>
interface Compared {
  readonly set: string
  readonly source: string
  readonly fact: string
  readonly verdict: 'right' | 'empty' | 'wrong' | 'missed'
  readonly expected: string
  readonly read: string
}

/** Names of the truth files. What is not here is not read from documents: the period of sale, the project id, shares of small firms. */
const NAMES: Readonly<Record<string, FactName>> = {
  agency: 'agency',
  title: 'title',
  method: 'method',
  referencePrice: 'reference_price',
  budget: 'budget',
  bid: 'bid_window',
  announced: 'announced',
  documentNumber: 'document_number',
  docFee: 'document_fee',
  bidBond: 'bid_bond',
  delivery: 'delivery',
  payments: 'payments',
  penaltyPct: 'penalty',
  perfBondPct: 'contract_guarantee',
  pastWork: 'past_work',
  criterion: 'criterion',
  weights: 'weights',
  technicalPassMark: 'pass_mark',
  warranty: 'warranty',
  isos: 'certificate',
  phones: 'phone',
  emails: 'email',
  hearingEnd: 'hearing_end',
  contractorClass: 'contractor_class',
  winner: 'winner',
  awardPrice: 'award_price',
}
const KINDS: Readonly<Record<string, DocumentKind>> = { 'bidding-doc': 'bidding-document', 'ref-price': 'price-table' }
const UNITS = { day: 'วัน', month: 'เดือน', year: 'ปี' } as const

/** A value as the truth files write it. */
function written(fact: FactName, value: FactValue): string {
  if (value.kind === 'amount') return String(value.baht)
  if (value.kind === 'date') return value.date
  if (value.kind === 'window') return `${value.from.slice(0, 10)} ${value.from.slice(11, 16)}-${value.to.slice(11, 16)}`
  if (value.kind === 'percent') return String(value.percent)
  if (value.kind === 'shares') return value.percents.join(fact === 'weights' ? '/' : '+')
  return value.kind === 'duration' ? `${value.count} ${UNITS[value.unit]}` : value.text
}

/** Names are compared without blanks and tones: the file may have lost both. */
const comparable = (text: string) => fold(text).replaceAll(' ', '')

export function compare(
  set: string,
  source: string,
  truth: Truth,
  kind: DocumentKind,
  facts: readonly DocumentFact[],
): Compared[] {
  return Object.entries(truth).flatMap(([name, said]): Compared[] => {
    const fact = NAMES[name]
    if (name !== 'kind' && fact === undefined) return []
    const expected = said === null ? '' : Array.isArray(said) ? said.join(', ') : String(said)
    const values = facts.flatMap((one) => (one.fact === fact && one.value ? [written(one.fact, one.value)] : []))
    const read = name === 'kind' ? kind : values.join(', ')
    const wanted = name === 'kind' ? (KINDS[expected] ?? expected) : expected
    const isRight = comparable(read) === comparable(wanted)
    const verdict = isRight ? (wanted === '' ? 'empty' : 'right') : read === '' ? 'missed' : 'wrong'
    return [{ set, source, fact: fact ?? 'kind', verdict, expected: wanted, read }]
  })
}

async function compareFiles(): Promise<Compared[]> {
  const files = JSON.parse(readFileSync(path.join(SHARED, 'truth.json'), 'utf8')) as { file: string; truth: Truth }[]
  const compared: Compared[] = []
  for (const { file, truth } of files) {
    // Scans have no text; what stands in a picture is not read as a fact.
    if (file.includes('/scanned/')) continue
    const set = file.includes('/real/') ? 'real documents' : 'constructed documents'
    const read = await readPages(new Uint8Array(readFileSync(path.join(SHARED, file))), () => undefined)
    if ('reason' in read) throw new Error(`${file} cannot be read: ${read.reason}`)
    const kind = kindOf(read.pages)
    compared.push(...compare(set, path.basename(file), truth, kind, findFacts(read.pages, kind)))
  }
  return compared
}

/** Single sentences have no heading: they are read as the papers in which they stand. */
function readPassage(text: string): { kind: DocumentKind; facts: DocumentFact[] } {
  const kind = kindOf([text])
  if (kind !== 'other') return { kind, facts: findFacts([text], kind) }
  const facts = (['invitation', 'bidding-document'] as const).flatMap((one) => findFacts([text], one))
  const key = (one: DocumentFact) => `${one.fact} ${JSON.stringify(one.value)}`
  return { kind, facts: [...new Map(facts.map((one) => [key(one), one])).values()] }
}

function comparePassages(): Compared[] {
  const passages = JSON.parse(readFileSync(path.join(SHARED, 'passages.json'), 'utf8')) as {
    src: string
    text: string
    truth: Truth
  }[]
  return passages.flatMap(({ src, text, truth }) => {
    const { kind, facts } = readPassage(text)
    return compare('real passages', src, truth, kind, facts)
  })
}

/** Values that were read from laws and handbooks, in which there is nothing to read. */
function findFalse(): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'nothing-to-find-'))
  try {
    execFileSync('tar', ['xJf', path.join(SHARED, 'nothing-to-find.tar.xz'), '-C', folder])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'))
    if (files.length !== 32) throw new Error(`32 texts were expected, ${files.length} are there`)
    return files.flatMap((name) => {
      // As pages of 3,000 letters.
      const pages = readFileSync(path.join(folder, name), 'utf8').match(/[\s\S]{1,3000}/g) ?? []
      const facts = findFacts(pages, kindOf(pages))
      return facts.flatMap(({ fact, value, sentence }) =>
        value ? [`${name} ${fact} ${written(fact, value)}: ${sentence.slice(0, 200)}`] : [],
      )
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export interface DocumentCheck {
  readonly compared: readonly Compared[]
  readonly falseValues: readonly string[]
  /** What passes a limit; nothing when all is well. */
  readonly complaints: readonly string[]
}

const count = (list: readonly Compared[], verdict: Compared['verdict']) =>
  list.filter((one) => one.verdict === verdict).length

/** What passes the limits among `compared`. */
export function complaintsAbout(compared: readonly Compared[], falseValues: readonly string[]): string[] {
  const complaints: string[] = []
  // Facts that the document does not state are compared too: a value read there is an error.
  const wrong = count(compared, 'wrong')
  const stated = compared.filter(({ verdict, expected }) => verdict !== 'empty' && expected !== '')
  const missed = count(compared, 'missed')
  if (wrong > Math.floor(compared.length * MOST_WRONG)) complaints.push(`${wrong} of ${compared.length} are wrong`)
  if (missed > stated.length * MOST_MISSED) complaints.push(`${missed} of ${stated.length} were missed`)
  const real = compared.filter(({ set, verdict }) => set.startsWith('real') && verdict === 'wrong')
  if (real.length > 0) complaints.push(`${real.length} values of real text are wrong`)
  if (falseValues.length > 0) complaints.push(`${falseValues.length} values were read where there is nothing to find`)
  return complaints
}

/** Reads all that is there and compares. @throws when a file is missing or cannot be read. */
export async function checkDocuments(): Promise<DocumentCheck> {
  const compared = [...(await compareFiles()), ...comparePassages()]
  const falseValues = findFalse()
  return { compared, falseValues, complaints: complaintsAbout(compared, falseValues) }
}

function print({ compared, falseValues, complaints }: DocumentCheck): void {
  for (const by of ['set', 'fact'] as const) {
    console.log(`\n${by.padEnd(24)}  right  empty  wrong  missed`)
    for (const [name, list] of Map.groupBy(compared, (one) => one[by])) {
      const cells = (['right', 'empty', 'wrong', 'missed'] as const).map((verdict) => String(count(list, verdict)))
      console.log(`${name.padEnd(24)} ${cells.map((cell) => cell.padStart(6)).join(' ')}`)
    }
  }
  for (const { verdict, source, fact, expected, read } of compared) {
    if (verdict === 'wrong' || verdict === 'missed')
      console.log(`${verdict}: ${source} ${fact}: read "${read}", stated "${expected}"`)
  }
  console.log(`\nvalues where there is nothing to find: ${falseValues.length}`)
  for (const value of falseValues) console.log(value)
  for (const complaint of complaints) console.log(`TOO MANY: ${complaint}`)
}

if (process.argv[1] === import.meta.filename) {
  if (!areDocumentsThere) throw new Error(`${SHARED} is not there`)
  const check = await checkDocuments()
  print(check)
  process.exitCode = check.complaints.length > 0 ? 1 : 0
}
