import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { foldDocumentText } from '#contract/thai/fold-document-text.ts'
import { documentFileBytesQuery } from '#src/documents/api/document-file.ts'
import { DocumentPageView, scrollPageContainer } from '#src/documents/document-page/document-page-view.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import type { DocumentReaderState } from './use-document-reader.ts'
import { usePreserveScrollOnZoom } from './zoom-levels.ts'

export function DocumentPageList({ document, reader }: { document: ProjectDocument; reader: DocumentReaderState }) {
  const { id, type } = document
  const isPicture = type !== 'pdf'
  const pictureFile = useQuery({ ...documentFileBytesQuery(id), enabled: isPicture })
  const shared = { task: 'เปิดไฟล์', errorClassName: 'm-4', skeleton: <PagesSkeleton /> }
  return isPicture ? (
    <QueryView query={pictureFile} {...shared}>
      {(data) => <Picture data={data} name={document.name} />}
    </QueryView>
  ) : (
    <QueryView query={reader.fileQuery} {...shared}>
      {() => <PdfPages reader={reader} />}
    </QueryView>
  )
}

function PagesSkeleton() {
  return (
    <SkeletonGroup
      label="กำลังเปิดไฟล์"
      className="min-h-0 flex-1 overflow-hidden p-4"
      bars={['mx-auto aspect-[595/842] h-auto w-full max-w-[820px]']}
    />
  )
}

function PdfPages({ reader }: { reader: DocumentReaderState }) {
  const { page, pageCount, jumps, arrive, match, phrases, passage, zoom, file, hasFailed } = reader
  const box = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLDivElement>(null)

  usePreserveScrollOnZoom(box, zoom)
  // Scroll only after jumps to a page, because scrolling by the user also changes the page number.
  const scrollToPage = useEffectEvent(() => {
    const element = pages.current?.children[page - 1]
    if (element) scrollPageContainer(element, 0)
  })
  useEffect(() => {
    if (file && jumps > 0) scrollToPage()
  }, [file, jumps])
  const onScroll = () => {
    const { top, height } = box.current!.getBoundingClientRect()
    const middle = top + height / 2
    const number =
      1 + [...pages.current!.children].findIndex((element) => element.getBoundingClientRect().bottom >= middle)
    if (number > 0 && number !== page) arrive(number)
  }

  const sentence = passage ? foldDocumentText(passage.sentence).folded : undefined
  if (hasFailed) {
    return (
      <p role="alert" className="m-4 rounded-card border border-line bg-surface px-5 py-8 text-center">
        เบราว์เซอร์เปิดไฟล์นี้ไม่ได้ ดาวน์โหลดไปเปิดด้วยโปรแกรมอื่น
      </p>
    )
  }
  if (!file) return <PagesSkeleton />
  return (
    <div
      ref={box}
      tabIndex={0}
      role="document"
      aria-label="หน้าเอกสาร"
      onScroll={onScroll}
      className="min-h-0 flex-1 overflow-auto px-2 py-4 sm:px-6 focus-visible:-outline-offset-2"
    >
      <div ref={pages} className="flex flex-col gap-4">
        {Array.from({ length: pageCount }, (_, at) => at + 1).map((number) => (
          <DocumentPageView
            key={number}
            file={file}
            number={number}
            zoom={zoom}
            phrases={phrases}
            current={match?.page === number ? match.at : undefined}
            sentence={passage?.page === number ? sentence : undefined}
          />
        ))}
      </div>
    </div>
  )
}

/** Drawn on a canvas, because the content security policy allows images only from our origin. */
function Picture({ data, name }: { data: ArrayBuffer; name: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    createImageBitmap(new Blob([data])).then(
      (picture) => {
        const pictureCanvas = canvas.current
        if (!pictureCanvas) return
        pictureCanvas.width = picture.width
        pictureCanvas.height = picture.height
        pictureCanvas.getContext('2d')!.drawImage(picture, 0, 0)
      },
      () => setFailed(true),
    )
  }, [data])
  return (
    <div className="min-h-0 flex-1 overflow-auto p-4">
      {failed ? (
        <p role="alert" className="text-center">
          เบราว์เซอร์เปิดรูปนี้ไม่ได้ ดาวน์โหลดไปเปิดด้วยโปรแกรมอื่น
        </p>
      ) : (
        <canvas ref={canvas} role="img" aria-label={name} className="mx-auto block max-w-full" />
      )}
    </div>
  )
}
