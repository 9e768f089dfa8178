import { z } from 'zod/mini'

export const attachmentSchema = z.object({
  name: z.string(),
  url: z.string(),
  step: z.string(),
  published_date: z.nullable(z.string()),
})
export type Attachment = z.output<typeof attachmentSchema>
