import { startQuery } from '#src/api/http/query-client.ts'
import { projectDetailQuery } from '#src/report/api/project-details.ts'

export function startProject({ params }: { readonly params: { readonly id: string } }): void {
  startQuery(projectDetailQuery(params.id))
}
