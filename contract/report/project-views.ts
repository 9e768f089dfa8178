import { z } from 'zod/mini'

const MAX_PROJECTS_PER_REQUEST = 200

export const colleagueProjectViewsQuerySchema = z.object({
  ids: z.string().check(
    z.refine((text) => {
      const ids = text.split(',')
      return ids.length <= MAX_PROJECTS_PER_REQUEST && ids.every((id) => /^[0-9A-Za-z-]{1,32}$/.test(id))
    }, 'เลขที่โครงการไม่ถูกต้อง'),
  ),
})

const projectLookSchema = z.object({
  project_id: z.string(),
  id: z.number(),
  name: z.string(),
  looked_at: z.string(),
})
export type ColleagueProjectView = z.output<typeof projectLookSchema>

/** Colleagues who viewed these projects and share their views, latest first; empty for a user who does not share. */
export const colleagueProjectViewsSchema = z.object({ looks: z.array(projectLookSchema) })
