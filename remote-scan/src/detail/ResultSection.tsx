import { useState } from 'react'
import { scan } from '@dmp/contract'
import type { ScanResult } from '@dmp/contract/scan'
import { CallError, saveDocument, useLookup } from '@dmp/kit'
import { Facts, Section, type Fact } from '@dmp/kit/screen'
import { Alert, Button, StatusBadge } from '@dmp/kit/ui'
import { resultKindText, resultViewText } from '../shared/resultTexts.ts'

interface ResultSectionProps {
  readonly organizationId: string
  readonly studyUID: string
  readonly seriesUID: string
  readonly result: ScanResult
}

/** EncapsulatedDocument, by the address of DICOMweb. */
const documentTag = '00420011'

/** What a program sent back: what it is, who made it, and what it says where a page can say it. */
export function ResultSection({ organizationId, studyUID, seriesUID, result }: ResultSectionProps) {
  const { data, error } = useLookup(scan.getResult, { organizationId, seriesUID })
  const { kind, madeBy, sender } = result
  const isPdf = data?.mimeType === 'application/pdf'
  return (
    <Section title={resultKindText(kind)}>
      <p>{resultViewText(kind)}</p>
      <Facts
        facts={[
          { label: 'Title', value: data?.title },
          { label: 'Made by', value: madeBy },
          { label: 'Software version', value: data?.software },
          { label: 'Sent by', value: sender },
          ...verificationFacts(data?.isVerified),
        ]}
      />
      {error && <Alert type="error" showIcon title={error.message} />}
      {data && data.objects > 1 && (
        <p>{kind === 'SecondaryCapture' ? firstViewedText(data.objects) : firstDownloadedText(data.objects)}</p>
      )}
      {isPdf && (
        <SavePdf
          path={`/dicom-web/studies/${studyUID}/series/${seriesUID}/instances/${data.sopInstanceUID}/bulkdata/${documentTag}?organizationId=${organizationId}`}
        />
      )}
      {data && data.lines.length > 0 && <ReportTable lines={data.lines} />}
      {data?.isShortened && <p>The report is longer than this. Download the scan to read all of it.</p>}
    </Section>
  )
}

const firstViewedText = (count: number): string => `This is the first of ${count} objects. View shows all of them.`
const firstDownloadedText = (count: number): string =>
  `This is the first of ${count} objects. Download the scan for the others.`

/** What nobody has verified must not be read as if somebody had; a result that does not say has no such line. */
const verificationFacts = (isVerified: boolean | null | undefined): Fact[] =>
  typeof isVerified === 'boolean'
    ? [
        {
          label: 'Verification',
          value: isVerified ? (
            <StatusBadge value="Verified" tone="success" />
          ) : (
            <StatusBadge value="Not verified" tone="warning" />
          ),
        },
      ]
    : []

function ReportTable({ lines }: { lines: readonly { depth: number; name: string; value: string }[] }) {
  return (
    <table className="scan-report" aria-label="Report">
      <tbody>
        {lines.map(({ depth, name, value }, at) => (
          <tr key={at}>
            <th scope="row" style={{ paddingInlineStart: `${Math.min(depth, 6) * 16}px` }}>
              <bdi>{name}</bdi>
            </th>
            <td>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function SavePdf({ path }: { path: string }) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      // Names of files are seen by others: neither patient nor title (P23).
      await saveDocument(path, 'report.pdf')
    } catch (cause) {
      setProblem(cause instanceof CallError ? cause.message : 'The document could not be downloaded. Try again.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button loading={isBusy} onClick={() => void save()}>
        Download PDF
      </Button>
      {problem !== undefined && <Alert type="error" showIcon title={problem} />}
    </>
  )
}
