import path from 'node:path'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { createS3DocumentStore } from '#server/documents/store/s3-document-store.ts'
import type { Settings } from './settings.ts'

/** Returns the local documents folder. It contains all files, or only uploads in progress if a bucket is configured. */
export const getDocumentsFolder = ({ dataDir }: Pick<Settings, 'dataDir'>) => path.join(dataDir, 'documents')

/** Returns the configured store without contacting it, so that an unreachable bucket does not fail the start. */
export function openDocumentStore(settings: Pick<Settings, 'dataDir' | 'documentBucket'>): DocumentStore {
  const folder = getDocumentsFolder(settings)
  return settings.documentBucket
    ? createS3DocumentStore(settings.documentBucket, { folder })
    : createFolderDocumentStore(folder)
}
