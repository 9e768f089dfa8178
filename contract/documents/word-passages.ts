import { z } from 'zod/mini'
import { excerptSchema } from './document-search.ts'

/** `GET /projects/{id}/word-passages`: where watch words stand in the public documents of a project of the report (decision 0120). */
export const wordPassagesSchema = z.object({
  passages: z.array(
    z.object({
      word: z.string(),
      page: z.number(),
      /** Null where the text is kept no longer. */
      excerpt: z.nullable(excerptSchema),
      document_name: z.nullable(z.string()),
      /** The organisation's own copy, which the reader opens; null while it has none. */
      document_id: z.nullable(z.string()),
      /** Where e-GP hands the document out. */
      link: z.nullable(z.string()),
    }),
  ),
})
export type WordPassages = z.output<typeof wordPassagesSchema>
