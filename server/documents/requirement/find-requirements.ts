import type { Requirement, RequirementKind } from '#contract/documents/requirement.ts'
import { type Clause, clausesOf, comparedKey, type Rest } from '#server/documents/comparison/clauses.ts'

export type FoundRequirement = Omit<Requirement, 'answer'> & {
  /** The clause including all its subclauses; `text` and `sentence` may be shortened. */
  readonly whole: string
}

type Rule = {
  readonly kind: RequirementKind
  readonly words: readonly (readonly string[])[]
  /** Applies only below a heading about bidders; elsewhere the same words describe the goods. */
  readonly isOfBidder: boolean
}

const rule = (kind: RequirementKind, isOfBidder: boolean, ...words: readonly (readonly string[])[]): Rule => ({
  kind,
  isOfBidder,
  words: words.map((list) => list.map(comparedKey)),
})

/** The first match wins. */
const RULES: readonly Rule[] = [
  rule('past_work', true, ['ผลงาน'], ['ไม่น้อยกว่า', 'ต้องมีผลงาน']),
  rule('past_work', false, ['ต้องมีผลงาน'], ['ไม่น้อยกว่า']),
  rule('class', false, ['ขึ้นทะเบียนผู้ประกอบการ', 'ขึ้นทะเบียนไว้กับกรมบัญชีกลาง', 'ผู้รับเหมาชั้น']),
  rule('capital', false, ['มูลค่าสุทธิของกิจการ', 'ทุนจดทะเบียน'], ['ต้องมี', 'ไม่ต่ำกว่า', 'ไม่น้อยกว่า']),
  rule('people', true, ['ประกาศนียบัตร', 'ใบประกอบวิชาชีพ', 'วิศวกร', 'บุคลากร'], ['ต้อง']),
  rule('licence', true, ['ใบอนุญาต', 'แต่งตั้งให้เป็นตัวแทน', 'ได้รับการแต่งตั้ง']),
  rule('certificate', true, ['มาตรฐาน'], ['iso', 'มอก', 'ใบรับรอง', 'หนังสือรับรอง']),
  rule('sme', false, ['ผู้ประกอบการsme', 'วิสาหกิจขนาดกลาง']),
  rule('bond', false, ['วางหลักประกันการเสนอราคา', 'วางหลักประกันสัญญา', 'จะต้องวางหลักประกัน']),
]
const ABOUT_BIDDERS = [comparedKey('คุณสมบัติ'), comparedKey('ผู้ยื่นข้อเสนอ'), comparedKey('ผู้เสนอราคา')]
const ABOUT_PAPERS = [
  comparedKey('หลักฐานการยื่นข้อเสนอ'),
  comparedKey('หลักฐานการเสนอราคา'),
  comparedKey('เอกสารการเสนอราคา'),
]
const LEAST_LETTERS = 12
const LONGEST_TEXT = 400
const LONGEST_SENTENCE = 500
const LONGEST_WHOLE = 6_000
/** Per document: a reader wants a list, not the document again. */
const MOST_REQUIREMENTS = 60

function kindOf({ section, key, number }: Clause): RequirementKind | undefined {
  const heading = comparedKey(section)
  const isOfBidder = ABOUT_BIDDERS.some((word) => heading.includes(word))
  const found = RULES.find(
    ({ words, isOfBidder: only }) =>
      (isOfBidder || !only) && words.every((list) => list.some((word) => key.includes(word))),
  )
  if (found) return found.kind
  return number.includes('.') && ABOUT_PAPERS.some((word) => heading.includes(word)) ? 'documents' : undefined
}

function told({ number, body, lines }: Clause, kind: RequirementKind): FoundRequirement {
  const { page } = lines[0]!
  let sentence = ''
  for (const line of lines) {
    if (line.page !== page || (sentence !== '' && sentence.length + line.text.length > LONGEST_SENTENCE)) break
    sentence += sentence === '' ? line.text : `\n${line.text}`
  }
  const text = body.length > LONGEST_TEXT ? `${body.slice(0, LONGEST_TEXT).toWellFormed()}…` : body
  return { kind, number, text, page, sentence, whole: body.slice(0, LONGEST_WHOLE) }
}

/** True for parts of a clause: `4.16.1` and `4.16 (1)` are parts of `4.16`. */
const isPartOf = (number: string, above: string) =>
  above !== '' && (number.startsWith(`${above}.`) || number.startsWith(`${above} `))

/**
 * Extracts clauses that require something of a bidder, matched by keywords and quoted with their page; the reader
 * interprets them. Subclauses of a listed clause belong to it if they have the same kind. Linear time.
 */
export async function findRequirements(pages: readonly string[], rest: Rest): Promise<FoundRequirement[]> {
  const found: FoundRequirement[] = []
  for (const clause of await clausesOf(pages, rest)) {
    const above = found.at(-1)
    if (above && isPartOf(clause.number, above.number) && above.whole.length < LONGEST_WHOLE)
      found[found.length - 1] = { ...above, whole: `${above.whole} ${clause.body.slice(0, LONGEST_WHOLE)}` }
    if (clause.key.length < LEAST_LETTERS) continue
    const kind = kindOf(clause)
    const isBelow = found.some(
      (one) => one.kind === kind && one.number !== '' && clause.number.startsWith(`${one.number}.`),
    )
    if (kind && !isBelow) found.push(told(clause, kind))
    if (found.length === MOST_REQUIREMENTS) break
  }
  return found
}
