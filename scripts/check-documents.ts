import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DocumentFact, DocumentFactName, DocumentKind, FactValue } from '#contract/documents/document.ts'
import { detectDocumentKind } from '#server/documents/facts/detect-document-kind.ts'
import { findDocumentFacts } from '#server/documents/facts/find-document-facts.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'
import { readPdfPages } from '#server/documents/text/read-pdf-pages.ts'

/**
 * Compares extracted document facts with what people read. Exits with 1 when a limit is exceeded.
 *
 *   npx node scripts/check-documents.ts
 */

const SHARED = path.join(import.meta.dirname, '../../shared/documents')
export const hasSharedDocuments = existsSync(SHARED)

/**
 * A wrong value misleads a user about a deadline; a missed one only sends them to the document. At most one of 400 may
 * be wrong, and none in real text.
 */
const MAX_WRONG_SHARE = 1 / 400
const MAX_MISSED_SHARE = 0.04

type Truth = Readonly<Record<string, unknown>>
type Compared = {
  readonly set: string
  readonly source: string
  readonly fact: string
  readonly verdict: 'right' | 'empty' | 'wrong' | 'missed'
  readonly expected: string
  readonly read: string
}

/**
 * Field names of the truth files. Fields not listed are not extracted: the period of sale, the project id, shares of
 * small firms.
 */
const NAMES: Readonly<Record<string, DocumentFactName>> = {
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

function written(fact: DocumentFactName, value: FactValue): string {
  if (value.kind === 'amount') return String(value.baht)
  if (value.kind === 'date') return value.date
  if (value.kind === 'window') return `${value.from.slice(0, 10)} ${value.from.slice(11, 16)}-${value.to.slice(11, 16)}`
  if (value.kind === 'percent') return String(value.percent)
  if (value.kind === 'shares') return value.percents.join(fact === 'weights' ? '/' : '+')
  return value.kind === 'duration' ? `${value.count} ${UNITS[value.unit]}` : value.text
}

/** Normalises a text for comparison. Removes spaces and tone marks, because a PDF file may have lost both. */
const comparable = (text: string) => foldThaiText(text).replaceAll(' ', '')

export function compareFacts(
  set: string,
  source: string,
  truth: Truth,
  kind: DocumentKind,
  facts: readonly DocumentFact[],
): Compared[] {
  return Object.entries(truth).flatMap(([name, truthValue]): Compared[] => {
    const fact = NAMES[name]
    if (name !== 'kind' && fact === undefined) return []
    const expected = truthValue === null ? '' : Array.isArray(truthValue) ? truthValue.join(', ') : String(truthValue)
    const values = facts.flatMap((item) => (item.fact === fact && item.value ? [written(item.fact, item.value)] : []))
    const read = name === 'kind' ? kind : values.join(', ')
    const expectedText = name === 'kind' ? (KINDS[expected] ?? expected) : expected
    const isRight = comparable(read) === comparable(expectedText)
    const verdict = isRight ? (expectedText === '' ? 'empty' : 'right') : read === '' ? 'missed' : 'wrong'
    return [{ set, source, fact: fact ?? 'kind', verdict, expected: expectedText, read }]
  })
}

async function compareFiles(): Promise<Compared[]> {
  const files = JSON.parse(readFileSync(path.join(SHARED, 'truth.json'), 'utf8')) as { file: string; truth: Truth }[]
  const compared: Compared[] = []
  for (const { file, truth } of files) {
    // Scans are skipped, because they have no text and this check does not run OCR.
    if (file.includes('/scanned/')) continue
    const set = file.includes('/real/') ? 'real documents' : 'constructed documents'
    const read = await readPdfPages(new Uint8Array(readFileSync(path.join(SHARED, file))), () => undefined)
    if ('reason' in read) throw new Error(`${file} cannot be read: ${read.reason}`)
    const kind = detectDocumentKind(read.pages)
    compared.push(...compareFacts(set, path.basename(file), truth, kind, findDocumentFacts(read.pages, kind)))
  }
  return compared
}

/**
 * Reads facts from a single sentence. Without a heading its document kind is unknown, so it is read as each kind in
 * which such sentences occur.
 */
function readPassage(text: string): { kind: DocumentKind; facts: DocumentFact[] } {
  const kind = detectDocumentKind([text])
  if (kind !== 'other') return { kind, facts: findDocumentFacts([text], kind) }
  const facts = (['invitation', 'bidding-document'] as const).flatMap((assumedKind) =>
    findDocumentFacts([text], assumedKind),
  )
  const key = (fact: DocumentFact) => `${fact.fact} ${JSON.stringify(fact.value)}`
  return { kind, facts: [...new Map(facts.map((fact) => [key(fact), fact])).values()] }
}

function comparePassages(): Compared[] {
  const passages = JSON.parse(readFileSync(path.join(SHARED, 'passages.json'), 'utf8')) as {
    src: string
    text: string
    truth: Truth
  }[]
  return passages.flatMap(({ src, text, truth }) => {
    const { kind, facts } = readPassage(text)
    return compareFacts('real passages', src, truth, kind, facts)
  })
}

function findFalseValues(): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'nothing-to-find-'))
  try {
    execFileSync('tar', ['xJf', path.join(SHARED, 'nothing-to-find.tar.xz'), '-C', folder])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.txt'))
    if (files.length !== 32) throw new Error(`expected 32 texts, found ${files.length}`)
    return files.flatMap((name) => {
      const pages = readFileSync(path.join(folder, name), 'utf8').match(/[\s\S]{1,3000}/g) ?? []
      const facts = findDocumentFacts(pages, detectDocumentKind(pages))
      return facts.flatMap(({ fact, value, sentence }) =>
        value ? [`${name} ${fact} ${written(fact, value)}: ${sentence.slice(0, 200)}`] : [],
      )
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type DocumentCheck = {
  readonly compared: readonly Compared[]
  readonly falseValues: readonly string[]
  readonly complaints: readonly string[]
}

const count = (list: readonly Compared[], verdict: Compared['verdict']) =>
  list.filter((row) => row.verdict === verdict).length

export function listComplaints(compared: readonly Compared[], falseValues: readonly string[]): string[] {
  const complaints: string[] = []
  // The comparison includes facts that the document does not state, for which any extracted value is an error.
  const wrong = count(compared, 'wrong')
  const stated = compared.filter(({ verdict, expected }) => verdict !== 'empty' && expected !== '')
  const missed = count(compared, 'missed')
  if (wrong > Math.floor(compared.length * MAX_WRONG_SHARE)) complaints.push(`${wrong} of ${compared.length} are wrong`)
  if (missed > stated.length * MAX_MISSED_SHARE) complaints.push(`${missed} of ${stated.length} were missed`)
  const real = compared.filter(({ set, verdict }) => set.startsWith('real') && verdict === 'wrong')
  if (real.length > 0) complaints.push(`${real.length} values of real text are wrong`)
  if (falseValues.length > 0) complaints.push(`${falseValues.length} values were read where no fact is stated`)
  return complaints
}

/**
 * Reads all documents and compares them.
 * @throws when a file is missing or unreadable.
 */
export async function checkDocuments(): Promise<DocumentCheck> {
  const compared = [...(await compareFiles()), ...comparePassages()]
  const falseValues = findFalseValues()
  return { compared, falseValues, complaints: listComplaints(compared, falseValues) }
}

function print({ compared, falseValues, complaints }: DocumentCheck): void {
  for (const by of ['set', 'fact'] as const) {
    console.log(`\n${by.padEnd(24)}  right  empty  wrong  missed`)
    for (const [name, list] of Map.groupBy(compared, (row) => row[by])) {
      const cells = (['right', 'empty', 'wrong', 'missed'] as const).map((verdict) => String(count(list, verdict)))
      console.log(`${name.padEnd(24)} ${cells.map((cell) => cell.padStart(6)).join(' ')}`)
    }
  }
  for (const { verdict, source, fact, expected, read } of compared) {
    if (verdict === 'wrong' || verdict === 'missed')
      console.log(`${verdict}: ${source} ${fact}: read "${read}", stated "${expected}"`)
  }
  console.log(`\nvalues read where no fact is stated: ${falseValues.length}`)
  for (const value of falseValues) console.log(value)
  for (const complaint of complaints) console.log(`TOO MANY: ${complaint}`)
}

if (import.meta.main) {
  if (!hasSharedDocuments) throw new Error(`${SHARED} not found`)
  const check = await checkDocuments()
  print(check)
  process.exitCode = check.complaints.length > 0 ? 1 : 0
}
