import { formatLawClause, getCurrentProcurementRule } from '../catalogue/procurement-rules.ts'
import type { DraftObservation } from '../documents/draft-observation.ts'
import type { ReportRow } from '../report/report.ts'
import { formatThaiDateLong } from '../thai/thai-date.ts'
import { truncate } from '../truncate.ts'

export const MAX_LETTER_OBSERVATIONS = 5
const MAX_QUOTE_LENGTH = 160
const MAX_PROJECT_NAME_LENGTH = 240
const MAX_DOCUMENT_NAME_LENGTH = 40

type LetterFacts = Pick<
  ReportRow,
  'project_id' | 'name' | 'dept_name' | 'dept_sub_name' | 'draft_discussion_end_date' | 'draft_published_date'
> & {
  readonly organisation: string
  /** ISO day of the letter. */
  readonly today: string
}

/** Indent of paragraphs, and of the date and the signature, in tabs. */
const PARAGRAPH = '\t'
const RIGHT = '\t\t\t\t'

/**
 * Builds a letter of one page in the form of Thai business letters, for the sender to edit. It makes observations and
 * accuses no one. Without observations it states that they are still to be written.
 */
export function buildDraftLetter(facts: LetterFacts, observations: readonly DraftObservation[]): string {
  const { organisation, today, name, project_id: id, draft_published_date: published } = facts
  const agency = facts.dept_sub_name || facts.dept_name
  const lastDay = facts.draft_discussion_end_date
  const law = formatLawClause(getCurrentProcurementRule('commentIsSigned').source)
  const about = `ร่างขอบเขตของงานและร่างเอกสาร “${truncate(name, MAX_PROJECT_NAME_LENGTH)}” เลขที่โครงการ ${id}`
  const period = lastDay === null ? '' : ` ซึ่งรับฟังความเห็นถึงวันที่ ${formatThaiDateLong(lastDay)}`
  const lines = observations.map(
    ({ text, sentence, page, document }, index) =>
      `${PARAGRAPH}${index + 1}. ${truncate(document.name, MAX_DOCUMENT_NAME_LENGTH)} หน้า ${page}: “${quoteOf(sentence)}” ${text}`,
  )
  return [
    `${RIGHT}${organisation}`,
    `${RIGHT}วันที่ ${formatThaiDateLong(today)}`,
    '',
    `เรื่อง\tข้อสังเกตต่อร่างขอบเขตของงาน`,
    `เรียน\tหัวหน้าหน่วยงาน ${agency}`,
    `อ้างถึง\t${about}${published === null ? '' : ` เผยแพร่เมื่อ ${formatThaiDateLong(published)}`}`,
    '',
    `${PARAGRAPH}ตามที่หน่วยงานเผยแพร่ร่างตามที่อ้างถึง${period} ${organisation} ขอเสนอข้อสังเกตโดยเปิดเผยตัว (${law}) ดังนี้`,
    ...(lines.length > 0 ? lines : [`${PARAGRAPH}1. (ยังไม่มีข้อสังเกต เขียนข้อที่ขอให้พิจารณา พร้อมเลขหน้าของร่าง)`]),
    '',
    `${PARAGRAPH}จึงเรียนมาเพื่อโปรดพิจารณา และขอให้แจ้งผลการพิจารณาเป็นหนังสือด้วย จะขอบคุณยิ่ง`,
    '',
    `${RIGHT}ขอแสดงความนับถือ`,
    '',
    '',
    `${RIGHT}(..............................................)`,
    `${RIGHT}ผู้มีอำนาจลงนาม ${organisation}`,
  ].join('\n')
}

const quoteOf = (sentence: string) => truncate(sentence.replace(/\s+/g, ' ').trim(), MAX_QUOTE_LENGTH)
