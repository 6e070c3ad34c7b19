import { Fragment } from 'react'

/** Facts in one line, each in its own direction: DICOM text may be written from right to left. */
export function Parts({ values }: { values: readonly (string | null | undefined | false)[] }) {
  return (
    <span>
      {values.filter(Boolean).map((value, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          <bdi>{value}</bdi>
        </Fragment>
      ))}
    </span>
  )
}
