/** Pages that are refreshed again and again: what a refresh of this number writes, and when. */

export const OPTIONS = {
  key: 'url',
  fields: { body: {} },
  workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
}

export const PAGES = 9

export const urlOf = (nth) => `https://host.example/${nth}`

export const refreshAt = (number) => Date.UTC(2025, 0, 1) + number * 86_400_000

/** Every other page is another one each time. */
export const refreshOf = (number) =>
  Array.from({ length: PAGES }, (_, nth) => ({
    url: urlOf(nth),
    body: `apple ${nth} ${nth % 2 === 0 ? `version${number} apple` : 'pear'}`,
  }))
