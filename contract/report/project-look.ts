import { z } from 'zod/mini'

/** Most projects of one question: more than any page of the report has. */
const MOST_LOOKED_FOR = 200

/** `GET /project-looks`: ids of projects joined with commas. */
export const projectLooksQuerySchema = z.object({
  ids: z.string().check(
    z.refine((text) => {
      const ids = text.split(',')
      return ids.length <= MOST_LOOKED_FOR && ids.every((id) => /^[0-9A-Za-z-]{1,32}$/.test(id))
    }, 'เลขที่โครงการไม่ถูกต้อง'),
  ),
})

const projectLookSchema = z.object({
  project_id: z.string(),
  /** Number and name of a colleague. */
  id: z.number(),
  name: z.string(),
  /** The last time, ISO. */
  looked_at: z.string(),
})
export type ProjectLook = z.output<typeof projectLookSchema>

/** Colleagues who looked at these projects and agreed that it is seen, the latest first; nobody for who has not agreed. */
export const projectLooksSchema = z.object({ looks: z.array(projectLookSchema) })
