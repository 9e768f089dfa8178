import type { Organisation } from '#contract/organisation.ts'
import type { Db } from '#server/db/db.ts'
import { ProblemError } from '#server/route/problem.ts'
import { presentOrganisation } from './present-organisation.ts'
import { findOrganisation } from './queries.ts'

/** The organisation as the API answers it. Throws ProblemError `session_invalid` when it is gone. */
export async function readOrganisation(db: Db, organisationId: number): Promise<Organisation> {
  const organisation = await findOrganisation(db, organisationId)
  if (!organisation) throw new ProblemError('session_invalid')
  return presentOrganisation(organisation)
}
