import { useMutation } from '@tanstack/react-query'
import type { KeywordTermAddition, KeywordTermAdvice } from '#contract/matching/term-advice.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { dismissKeywordTermAdvice } from '#src/matching/api/term-advice.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

type DismissVariables = { readonly advice: KeywordTermAdvice | KeywordTermAddition; readonly isDismissed: boolean }

export function useAdviceDismissal(): (variables: DismissVariables) => void {
  const { mutate: dismiss } = useMutation({
    mutationFn: ({ advice, isDismissed }: DismissVariables) => dismissKeywordTermAdvice(advice, isDismissed),
    onSuccess: (_, { advice, isDismissed }) => {
      if (!isDismissed) return
      showToast({
        tone: 'done',
        text: `จะไม่เสนอเรื่อง “${advice.term}” อีก`,
        action: { label: 'เลิกทำ', run: () => dismiss({ advice, isDismissed: false }) },
      })
    },
    onError: (error, variables) =>
      showToast({
        tone: 'error',
        text: `บันทึกไม่สำเร็จ ${formatErrorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => dismiss(variables) },
      }),
  })
  return dismiss
}
