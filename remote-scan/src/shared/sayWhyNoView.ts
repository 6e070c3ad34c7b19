/** Why a scan cannot be viewed; undefined where it can. A count of null means that nobody knows. */
export function sayWhyNoView({
  imageSetID,
  images,
}: {
  readonly imageSetID: string | null
  readonly images: number | null
}): string | undefined {
  if (imageSetID === null) return 'The images are still being prepared.'
  return images === 0 ? 'This scan holds no images to view. Download it to open it elsewhere.' : undefined
}
