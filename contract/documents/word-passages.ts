import { z } from 'zod/mini'
import { documentExcerptSchema } from './document-search.ts'

/**
 * `GET /projects/{id}/word-passages`: occurrences of watch words in public documents of a project in the report
 * (decision 0120).
 */
export const documentKeywordPassagesSchema = z.object({
  passages: z.array(
    z.object({
      word: z.string(),
      page: z.number(),
      excerpt: z.nullable(documentExcerptSchema),
      document_name: z.nullable(z.string()),
      document_id: z.nullable(z.string()),
      link: z.nullable(z.string()),
    }),
  ),
})
export type DocumentKeywordPassages = z.output<typeof documentKeywordPassagesSchema>
