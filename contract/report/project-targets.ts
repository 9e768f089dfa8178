export const MAX_PROJECTS_PER_ACTION = 1_000
/**
 * Maximum number of stars per user, and of hidden projects per user, because every `GET /users/me` returns all of them.
 */
export const MAX_MARKED_PROJECTS = 5_000

export type ActionTargetProjects = {
  readonly project_id?: string | undefined
  readonly project_ids?: readonly string[] | undefined
}

export function haveCommonProject(a: readonly string[], b: readonly string[]): boolean {
  const ids = new Set(b)
  return a.some((id) => ids.has(id))
}

export function getActionTargetProjectIds({ project_id, project_ids }: ActionTargetProjects): string[] {
  return [...new Set([...(project_id === undefined ? [] : [project_id]), ...(project_ids ?? [])])]
}
