import { Printer } from 'lucide-react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { type DownloadableFile, downloadFile } from '#src/api/http/file-download.ts'
import { Button } from '#src/ui/button.tsx'
import { DownloadButton } from './download-button.tsx'

export function FileDownloadButtons({ file }: { file: DownloadableFile }) {
  return (
    <div className="flex items-center gap-2 print:hidden">
      <Button variant="quiet" icon={Printer} onClick={() => window.print()}>
        <span className="max-md:sr-only">พิมพ์</span>
      </Button>
      {!isDemoSession() && (
        <DownloadButton
          stem={`${file.name}-`}
          save={(name, tell, signal) => downloadFile({ ...file, name, onProgress: tell, signal })}
        />
      )}
    </div>
  )
}
