/** Most projects that one action may name: what "select all of the result" offers. */
export const MAX_PROJECTS_PER_ACTION = 1_000
/** Most stars, and most hidden projects, of one user: they travel with every `GET /users/me`. */
export const MAX_MARKED_PROJECTS = 5_000

/** The projects an action is about: one as the specification writes it, or several for a selection. */
export type ProjectTargets = {
  readonly project_id?: string | undefined
  readonly project_ids?: readonly string[] | undefined
}

/** Ids that an action names, each once, in their order; none when it names none. */
export function targetsOf({ project_id, project_ids }: ProjectTargets): string[] {
  return [...new Set([...(project_id === undefined ? [] : [project_id]), ...(project_ids ?? [])])]
}
