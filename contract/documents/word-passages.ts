import { z } from 'zod/mini'
import { excerptSchema } from './document-search.ts'

/**
 * `GET /projects/{id}/word-passages`: occurrences of watch words in public documents of a project of the report
 * (decision 0120).
 */
export const wordPassagesSchema = z.object({
  passages: z.array(
    z.object({
      word: z.string(),
      page: z.number(),
      /** Null when the text is no longer stored. */
      excerpt: z.nullable(excerptSchema),
      document_name: z.nullable(z.string()),
      /** The organisation's copy, for the reader; null when it has none. */
      document_id: z.nullable(z.string()),
      /** Download address at e-GP. */
      link: z.nullable(z.string()),
    }),
  ),
})
export type WordPassages = z.output<typeof wordPassagesSchema>
