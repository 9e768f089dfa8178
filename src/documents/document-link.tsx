import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DocumentReaderSearch } from './document-reader-search.ts'

type DocumentLinkProps = {
  projectId: string
  documentId: string
  search?: DocumentReaderSearch
  target?: '_blank'
  className: string
  children: ReactNode
}

export function DocumentLink({ projectId, documentId, search = {}, ...rest }: DocumentLinkProps) {
  return <Link to="/report/$id/documents/$doc" params={{ id: projectId, doc: documentId }} search={search} {...rest} />
}
