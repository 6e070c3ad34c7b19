import { formatNumber } from '@dmp/kit'

// Whole phrases, because languages count differently: translators get "1 image" and "{count} images".

export const imagesText = (count: number): string => (count === 1 ? '1 image' : `${formatNumber(count)} images`)
export const picturesText = (count: number): string => (count === 1 ? '1 picture' : `${formatNumber(count)} pictures`)
export const scansText = (count: number): string => (count === 1 ? '1 scan' : `${formatNumber(count)} scans`)
export const seriesText = (count: number): string => (count === 1 ? '1 series' : `${formatNumber(count)} series`)
export const studiesText = (count: number): string => (count === 1 ? '1 study' : `${formatNumber(count)} studies`)
export const daysText = (count: number): string => (count === 1 ? '1 day' : `${formatNumber(count)} days`)
export const timesText = (count: number): string => (count === 1 ? '1 time' : `${formatNumber(count)} times`)
export const rectanglesText = (count: number): string =>
  count === 1 ? '1 rectangle' : `${formatNumber(count)} rectangles`
