import type { Types } from '@cornerstonejs/core'
import { tag, type JsonDataset } from '@dmp/dicom'
import { directionLetters } from '../study/orientation.ts'

/** Which way the patient lies, at the four edges of a picture. */
export interface Markers {
  readonly top: string
  readonly right: string
  readonly bottom: string
  readonly left: string
}

/** Undefined where the header does not say. */
export function findMarkers(
  header: JsonDataset | undefined,
  { clientWidth: width, clientHeight: height }: HTMLElement,
  viewport: Pick<Types.IStackViewport, 'canvasToWorld'>,
): Markers | undefined {
  const isKnown =
    header?.[tag.ImageOrientationPatient]?.Value !== undefined ||
    header?.[tag.SharedFunctionalGroupsSequence] !== undefined ||
    header?.[tag.PerFrameFunctionalGroupsSequence] !== undefined
  if (!isKnown) return undefined
  const at = (x: number, y: number) => viewport.canvasToWorld([x, y])
  const along = (from: Types.Point3, to: Types.Point3) => to.map((end, axis) => end - from[axis]!)
  const [leftEdge, rightEdge] = [at(0, height / 2), at(width, height / 2)]
  const [topEdge, bottomEdge] = [at(width / 2, 0), at(width / 2, height)]
  return {
    left: directionLetters(along(rightEdge, leftEdge)),
    right: directionLetters(along(leftEdge, rightEdge)),
    top: directionLetters(along(bottomEdge, topEdge)),
    bottom: directionLetters(along(topEdge, bottomEdge)),
  }
}
