import type { ScanRow } from '@dmp/contract/scan'
import { Link } from '@dmp/kit/router'
import { countOfRow, imagesText } from './counts.ts'
import { resultText } from './resultTexts.ts'
import { Thumbnail } from './Thumbnail.tsx'
import './seriesTile.css'

interface SeriesTileProps {
  readonly organizationId: string
  readonly row: ScanRow
}

/** A series by its picture, its description and how many images it has; leads to its details. */
export function SeriesTile({ organizationId, row }: SeriesTileProps) {
  return (
    <Link className="series-tile" to={`/scan/detail/${organizationId}/${row.seriesUID}`}>
      {row.noOfImages === 0 ? (
        <span className="series-tile-blank">{row.modality || 'No picture'}</span>
      ) : (
        <Thumbnail
          organizationId={organizationId}
          studyUID={row.studyUID}
          seriesUID={row.seriesUID}
          images={row.noOfImages}
          isLarge
        />
      )}
      <bdi>{row.seriesDescription || 'No description'}</bdi>
      {row.result && (
        <span className="series-tile-quiet">
          <bdi>{resultText(row.result)}</bdi>
        </span>
      )}
      <span className="series-tile-quiet">
        {[row.modality, row.noOfImages !== 0 && imagesText(countOfRow(row))].filter(Boolean).join(' · ')}
      </span>
    </Link>
  )
}
