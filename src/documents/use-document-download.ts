import { useMutation } from '@tanstack/react-query'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'
import { downloadDocument } from './api/documents.ts'

export const useDocumentDownload = (document: Pick<ProjectDocument, 'id'>) =>
  useMutation({ mutationFn: () => downloadDocument(document), ...toastMutationResult('ดาวน์โหลดไม่สำเร็จ') })
