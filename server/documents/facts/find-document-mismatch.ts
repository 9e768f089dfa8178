import type { DocumentFact, DocumentFactName } from '#contract/documents/document.ts'
import type { DocumentMismatch, DocumentMismatchReason } from '#contract/documents/document-mismatch.ts'
import { getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { foldThaiText } from './folded-document.ts'

export type ProjectIdentity = {
  readonly title: string
  readonly agencies: readonly string[]
  /** Budget and reference price in baht, excluding those filled from a document. */
  readonly amounts: readonly number[]
}

/** Negative points support the project, positive ones contradict it and carry a `reason`. */
type Vote = { readonly points: number; readonly reason?: DocumentMismatchReason }
const NEUTRAL_VOTE: Vote = { points: 0 }

/**
 * Total of points from which a document is doubted. One clear contradiction suffices unless something else agrees; so
 * do two weak ones. Measured on ../shared/documents with `bench/figures/mismatch.ts`.
 */
const DOUBT_THRESHOLD = 2

/**
 * Trigram overlap from which two titles count as equal: titles of the same tender are nearly identical, titles of
 * different tenders share only trade vocabulary.
 */
const SAME_TITLE = 0.85
const SIMILAR_TITLE = 0.6
const OTHER_TITLE = 0.35
/**
 * Price ratios. Prices of one tender differ by tax, or because one price covers only a part. Each ratio of
 * `OTHER_PRICES` that is reached adds a point against the document.
 */
const EQUAL_PRICE = 1.1
const OTHER_PRICES = [3, 10, 20]

/**
 * Returns the first clear fact with this name, whether or not operators trust such facts: a misreading here costs a
 * warning, not a deadline.
 */
const findClearFact = (facts: readonly DocumentFact[], name: DocumentFactName) =>
  facts.find(({ fact, state, value }) => fact === name && state === 'clear' && value !== undefined)

const plain = (text: string) => foldThaiText(text).replaceAll(' ', '')

/** Matches prefixes that e-GP adds to titles (procurement method) and that a project name may lack. */
const TITLE_PREFIX = new RegExp(
  `^(?:${['ประกวดราคา', 'สอบราคา', 'อิเล็กทรอนิกส์', '(e-bidding)', 'ด้วยวิธี', 'โดยวิธี', 'การ', 'ซื้อ', 'จ้าง', 'เช่า']
    .map((word) => plain(word).replace(/[()]/g, '\\$&'))
    .join('|')})+`,
)
const titleOf = (text: string) => plain(text).replace(TITLE_PREFIX, '')

function titleVote(facts: readonly DocumentFact[], { title }: ProjectIdentity): Vote {
  const fact = findClearFact(facts, 'title')
  if (fact?.value?.kind !== 'text' || title === '') return NEUTRAL_VOTE
  const [documentTrigrams, projectTrigrams] = [
    getFoldedTextTrigrams(titleOf(fact.value.text)),
    new Set(getFoldedTextTrigrams(titleOf(title))),
  ]
  const least = Math.min(documentTrigrams.length, projectTrigrams.size)
  if (least < 8) return NEUTRAL_VOTE
  const share = documentTrigrams.filter((trigram) => projectTrigrams.has(trigram)).length / least
  if (share >= SAME_TITLE) return { points: -2 }
  if (share >= SIMILAR_TITLE) return { points: -1 }
  if (share > OTHER_TITLE) return NEUTRAL_VOTE
  return { points: 2, reason: { fact: 'title', sentence: fact.sentence, page: fact.page, project: title } }
}

/**
 * Kinds of agencies that are never units of one another. Offices, hospitals and schools may be units of the agency that
 * a project names.
 */
const ROOTS = ['กรม', 'เทศบาล', 'องค์การ', 'มหาวิทยาลัย', 'สำนักงานปลัด', 'การไฟฟ้า', 'การประปา', 'กรุงเทพมหานคร'].map(plain)
const KINDS = [...ROOTS, ...['โรงพยาบาล', 'โรงเรียน', 'วิทยาลัย', 'สถาบัน', 'จังหวัด', 'แขวงทางหลวง'].map(plain)]
/** e-GP lists this department as the agency of local governments. */
const LOCAL_PARENT = plain('กรมส่งเสริมการปกครองท้องถิ่น')

/** Returns every run of adjacent words with the spaces removed, because spacing in names differs between documents. */
function namesIn(text: string): Set<string> {
  const words = text.split(/[\s()]+/u).filter((word) => word !== '')
  const names = new Set<string>()
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= Math.min(words.length, from + 8); to += 1)
      names.add(plain(words.slice(from, to).join('')))
  return names
}

function agencyVote(facts: readonly DocumentFact[], { agencies }: ProjectIdentity): Vote {
  const fact = findClearFact(facts, 'agency')
  const projectAgencies = agencies.filter((name) => name !== '')
  if (fact?.value?.kind !== 'text' || projectAgencies.length === 0) return NEUTRAL_VOTE
  const documentAgency = plain(fact.value.text)
  const names = namesIn(fact.value.text)
  if (projectAgencies.some((name) => names.has(plain(name)) || namesIn(name).has(documentAgency))) return NEUTRAL_VOTE
  // `กรมทางหลวง` is another agency than `กรมทางหลวงชนบท`, but the same as in `กรมทางหลวงแขวง…`.
  if (projectAgencies.some((name) => documentAgency.includes(plain(name)) || plain(name).includes(documentAgency)))
    return NEUTRAL_VOTE
  const kindOf = (name: string, kinds: readonly string[]) => kinds.find((kind) => name.startsWith(kind))
  const isOther = (projectAgency: string) => {
    const areRoots = kindOf(projectAgency, ROOTS) !== undefined && kindOf(documentAgency, ROOTS) !== undefined
    return (
      areRoots ||
      (kindOf(projectAgency, KINDS) !== undefined && kindOf(projectAgency, KINDS) === kindOf(documentAgency, KINDS))
    )
  }
  const plainAgencies = projectAgencies.map(plain)
  const isClear = !plainAgencies.includes(LOCAL_PARENT) && plainAgencies.some(isOther)
  const reason = {
    fact: 'agency',
    sentence: fact.sentence,
    page: fact.page,
    project: projectAgencies.join(' · '),
  } as const
  return { points: isClear ? 2 : 1, reason }
}

function priceVote(facts: readonly DocumentFact[], { amounts }: ProjectIdentity): Vote {
  const prices = (['reference_price', 'budget'] as const).flatMap((name) => {
    const fact = findClearFact(facts, name)
    return fact?.value?.kind === 'amount' && fact.value.baht > 0 ? [{ fact, baht: fact.value.baht }] : []
  })
  const pairs = prices.flatMap(({ fact, baht }) =>
    amounts
      .filter((amount) => amount > 0)
      .map((amount) => ({ fact, amount, ratio: Math.max(baht / amount, amount / baht) })),
  )
  const [nearest] = pairs.toSorted((a, b) => a.ratio - b.ratio)
  if (!nearest) return NEUTRAL_VOTE
  const { fact, amount, ratio } = nearest
  if (ratio <= EQUAL_PRICE) return { points: -2 }
  const points = OTHER_PRICES.filter((least) => ratio >= least).length
  if (points === 0) return NEUTRAL_VOTE
  const reason = {
    fact: 'price',
    sentence: fact.sentence,
    page: fact.page,
    project: `${formatBaht(amount)} บาท`,
    ratio: Math.round(ratio * 10) / 10,
  } as const
  return { points, reason }
}

export function findDocumentMismatch(
  facts: readonly DocumentFact[],
  project: ProjectIdentity,
): DocumentMismatch | null {
  const votes = [agencyVote(facts, project), titleVote(facts, project), priceVote(facts, project)]
  if (votes.reduce((sum, { points }) => sum + points, 0) < DOUBT_THRESHOLD) return null
  return { reasons: votes.flatMap(({ reason }) => (reason ? [reason] : [])) }
}
