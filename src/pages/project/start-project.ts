import { projectDetailQuery } from '#src/api/project-details.ts'
import { startQuery } from '#src/api/query-client.ts'

export function startProject({ params }: { readonly params: { readonly id: string } }): void {
  startQuery(projectDetailQuery(params.id))
}
