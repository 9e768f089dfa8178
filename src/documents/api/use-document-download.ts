import { useMutation } from '@tanstack/react-query'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { downloadDocument } from './documents.ts'

export const useDocumentDownload = (document: Pick<ProjectDocument, 'id'>) =>
  useMutation({
    mutationFn: () => downloadDocument(document),
    onError: (error) => showToast({ tone: 'error', text: `ดาวน์โหลดไม่สำเร็จ ${getErrorText(error)}` }),
  })
