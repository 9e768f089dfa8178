import path from 'node:path'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { createFolderStore } from '#server/documents/store/folder-store.ts'
import { createS3Store } from '#server/documents/store/s3-store.ts'
import type { Settings } from './settings.ts'

/** Where files lie on this machine: all of them, or with a bucket those that are coming in. */
export const documentsFolder = ({ dataDir }: Pick<Settings, 'dataDir'>) => path.join(dataDir, 'documents')

/** The store that the settings name. Nothing is asked of it: a start does not fail for a bucket that is away. */
export function openDocuments(settings: Pick<Settings, 'dataDir' | 'documentBucket'>): DocumentStore {
  const folder = documentsFolder(settings)
  return settings.documentBucket ? createS3Store(settings.documentBucket, { folder }) : createFolderStore(folder)
}
