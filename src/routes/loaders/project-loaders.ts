import { prefetchDocumentContent } from '#src/documents/api/document-file.ts'
import { documentQuery } from '#src/documents/api/documents.ts'
import { projectDetailQuery } from '#src/report/api/project-details.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import type { LoaderContext } from '../lazy-loader.ts'

type Params<Name extends string> = LoaderContext<object, Readonly<Record<Name, string>>>

export const shortLinkLoader = ({ params }: Params<'code'>) => [shortLinkSearchQuery(params.code)]

export const projectLoader = ({ params }: Params<'id'>) => [projectDetailQuery(params.id)]

export function documentLoader({ params }: Params<'id' | 'doc'>) {
  prefetchDocumentContent(params.doc)
  return [documentQuery(params.doc)]
}
