import { useEffect, useState } from 'react'
import { openPdf, type PdfFile } from './pdf-file.ts'

type OpenedPdf = { readonly file?: PdfFile; readonly hasFailed?: boolean }

/** Opens a PDF once its source has loaded, and closes it on unmount. */
export function usePdfFile(source: Parameters<typeof openPdf>[0] | undefined): OpenedPdf {
  const [opened, setOpened] = useState<OpenedPdf>({})
  useEffect(() => {
    if (!source) return
    let isUnmounted = false
    const show = (result: OpenedPdf) => {
      if (!isUnmounted) setOpened(result)
    }
    const opening = openPdf(source)
    opening.then(
      (file) => show({ file }),
      () => show({ hasFailed: true }),
    )
    return () => {
      isUnmounted = true
      setOpened({})
      opening.then(
        (file) => file.close(),
        () => undefined,
      )
    }
  }, [source])
  return opened
}
