/** How many instances of a series are images, as in DICOM: none where no frame is in it, such as of reports. */
export const toImageInstances = ({ images, instances }: { images: number; instances: number }): number =>
  images > 0 ? instances : 0
