import { z } from 'zod/mini'

const MISMATCH_CHECKED_FACTS = ['agency', 'title', 'price'] as const

export const documentMismatchSchema = z.object({
  reasons: z.array(
    z.object({
      fact: z.enum(MISMATCH_CHECKED_FACTS),
      sentence: z.string(),
      page: z.number(),
      /**
       * Agency, name, or budget or reference price in baht of the project. `ratio`, for a price: the larger value
       * divided by the smaller one, to one decimal.
       */
      project: z.string(),
      ratio: z.optional(z.number()),
    }),
  ),
})
export type DocumentMismatch = z.output<typeof documentMismatchSchema>
export type DocumentMismatchReason = DocumentMismatch['reasons'][number]

export const DOCUMENT_MISMATCH_TITLE = 'อาจไม่ใช่เอกสารของโครงการนี้'

const REASON_NAMES: Readonly<Record<DocumentMismatchReason['fact'], string>> = {
  agency: 'หน่วยงาน',
  title: 'ชื่อโครงการ',
  price: 'วงเงิน',
}

export function formatDocumentMismatchReason({ fact, sentence, page, project, ratio }: DocumentMismatchReason): string {
  const ratioText = ratio === undefined ? '' : ` (ต่างกัน ${ratio.toLocaleString('en-US')} เท่า)`
  return `${REASON_NAMES[fact]}: เอกสารหน้า ${page} ระบุ “${sentence}” แต่โครงการนี้คือ “${project}”${ratioText}`
}
