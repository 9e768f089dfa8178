import type { DocumentRequirement, RequirementKind } from '#contract/documents/requirement.ts'
import {
  type DocumentClause,
  type EventLoopYielder,
  parseDocumentClauses,
  toClauseComparisonKey,
} from '#server/documents/comparison/clauses.ts'

export type ExtractedRequirement = Omit<DocumentRequirement, 'answer'> & {
  readonly fullText: string
}

type Rule = {
  readonly kind: RequirementKind
  readonly words: readonly (readonly string[])[]
  /**
   * True if the rule applies only below a heading about bidders, because elsewhere the same words describe the goods.
   */
  readonly isOfBidder: boolean
}

const rule = (kind: RequirementKind, isOfBidder: boolean, ...words: readonly (readonly string[])[]): Rule => ({
  kind,
  isOfBidder,
  words: words.map((list) => list.map(toClauseComparisonKey)),
})

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
const BIDDER_HEADINGS = [
  toClauseComparisonKey('คุณสมบัติ'),
  toClauseComparisonKey('ผู้ยื่นข้อเสนอ'),
  toClauseComparisonKey('ผู้เสนอราคา'),
]
const PAPER_HEADINGS = [
  toClauseComparisonKey('หลักฐานการยื่นข้อเสนอ'),
  toClauseComparisonKey('หลักฐานการเสนอราคา'),
  toClauseComparisonKey('เอกสารการเสนอราคา'),
]
const MIN_LETTERS = 12
const MAX_TEXT_LENGTH = 400
const MAX_SENTENCE_LENGTH = 500
const MAX_FULL_TEXT_LENGTH = 6_000
const MAX_REQUIREMENTS = 60

function kindOf({ section, key, number }: DocumentClause): RequirementKind | undefined {
  const heading = toClauseComparisonKey(section)
  const isOfBidder = BIDDER_HEADINGS.some((word) => heading.includes(word))
  const matchedRule = RULES.find(
    ({ words, isOfBidder: only }) =>
      (isOfBidder || !only) && words.every((list) => list.some((word) => key.includes(word))),
  )
  if (matchedRule) return matchedRule.kind
  return number.includes('.') && PAPER_HEADINGS.some((word) => heading.includes(word)) ? 'documents' : undefined
}

function toRequirement({ number, body, lines }: DocumentClause, kind: RequirementKind): ExtractedRequirement {
  const { page } = lines[0]!
  let sentence = ''
  for (const line of lines) {
    if (line.page !== page || (sentence !== '' && sentence.length + line.text.length > MAX_SENTENCE_LENGTH)) break
    sentence += sentence === '' ? line.text : `\n${line.text}`
  }
  const text = body.length > MAX_TEXT_LENGTH ? `${body.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : body
  return { kind, number, text, page, sentence, fullText: body.slice(0, MAX_FULL_TEXT_LENGTH) }
}

/** True for `4.16.1` and `4.16 (1)`, which are both parts of `4.16`. */
const isPartOf = (number: string, above: string) =>
  above !== '' && (number.startsWith(`${above}.`) || number.startsWith(`${above} `))

/**
 * Extracts clauses that require something of a bidder. They are matched by keywords and quoted with their page;
 * interpreting them is left to the user. Subclauses of a listed clause are part of it if they have the same kind.
 * Linear time.
 */
export async function findDocumentRequirements(
  pages: readonly string[],
  yieldIfDue: EventLoopYielder,
): Promise<ExtractedRequirement[]> {
  const requirements: ExtractedRequirement[] = []
  for (const clause of await parseDocumentClauses(pages, yieldIfDue)) {
    const above = requirements.at(-1)
    if (above && isPartOf(clause.number, above.number) && above.fullText.length < MAX_FULL_TEXT_LENGTH)
      requirements[requirements.length - 1] = {
        ...above,
        fullText: `${above.fullText} ${clause.body.slice(0, MAX_FULL_TEXT_LENGTH)}`,
      }
    if (clause.key.length < MIN_LETTERS) continue
    const kind = kindOf(clause)
    const isBelow = requirements.some(
      (requirement) =>
        requirement.kind === kind && requirement.number !== '' && clause.number.startsWith(`${requirement.number}.`),
    )
    if (kind && !isBelow) requirements.push(toRequirement(clause, kind))
    if (requirements.length === MAX_REQUIREMENTS) break
  }
  return requirements
}
