import { z } from 'zod/mini'

/** What of a document is compared with the project that it was added to. */
export const COMPARED_FACTS = ['agency', 'title', 'price'] as const

/** Why a document may belong to another project: what it states, as its sentence, beside what the project says. */
export const documentMismatchSchema = z.object({
  reasons: z.array(
    z.object({
      fact: z.enum(COMPARED_FACTS),
      /** Of the document; quoted as it stands on the page. */
      sentence: z.string(),
      page: z.number(),
      /** Of the project: its agency, its name, or its budget or reference price in baht. */
      project: z.string(),
      /** Of a price: how many times the larger is the smaller, one decimal. */
      ratio: z.optional(z.number()),
    }),
  ),
})
export type DocumentMismatch = z.output<typeof documentMismatchSchema>
export type MismatchReason = DocumentMismatch['reasons'][number]

export const MISMATCH_TITLE = 'อาจไม่ใช่เอกสารของโครงการนี้'

const REASON_NAMES: Readonly<Record<MismatchReason['fact'], string>> = {
  agency: 'หน่วยงาน',
  title: 'ชื่อโครงการ',
  price: 'วงเงิน',
}

/** `หน่วยงาน: เอกสารหน้า 1 ระบุ “…” แต่โครงการเป็นของ…`. */
export function mismatchReasonText({ fact, sentence, page, project, ratio }: MismatchReason): string {
  const times = ratio === undefined ? '' : ` (ต่างกัน ${ratio.toLocaleString('en-US')} เท่า)`
  return `${REASON_NAMES[fact]}: เอกสารหน้า ${page} ระบุ “${sentence}” แต่โครงการนี้คือ “${project}”${times}`
}
