import { getBidState } from '#contract/catalogue/bid-state.ts'
import { findLatestPublishedDataLoad } from '#server/matching/queries/impact.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { memoizePerDatabaseSchema } from '#server/platform/engine/tenant.ts'
import { loadProjectsDueFrom, type OpenProject } from './queries.ts'

/** e-GP has about 5,000 invitations open at a time. */
const MAX_PROJECTS = 20_000

export type OpenProjectsCache = (today: string) => Promise<readonly OpenProject[]>

/** Caches the projects that accept bids today, until the day ends or a load is published. */
export function createOpenProjectsCache(db: Db): OpenProjectsCache {
  const cache = memoizePerDatabaseSchema(() => {
    let cached: { key: string; projects: readonly OpenProject[] } | undefined
    return async (today: string) => {
      const key = `${(await findLatestPublishedDataLoad(db))?.id} ${today}`
      if (cached?.key === key) return cached.projects
      const due = await loadProjectsDueFrom(db, today, MAX_PROJECTS)
      const projects = due.filter((project) => isOpen(project, today))
      cached = { key, projects }
      return projects
    }
  })
  return (today) => cache()(today)
}

const isOpen = (project: OpenProject, today: string) =>
  getBidState(
    {
      status: project.status,
      movement: project.movement,
      bidding_invite_date: project.bidding_invited_on,
      submission_end_date: project.submission_ends_on,
      winner_announce_date: project.winner_announced_on,
    },
    today,
  ) === 'open'
