/** How large the numbers may be that come from outside: options, documents and tables alike. */

/**
 * The largest amount that is taken from outside: counts, weights and boosts, of which many are added and some are
 * multiplied. Sums over all queries and products over all levels of a query stay finite, and gains within what the
 * ledger holds.
 */
export const MAX_AMOUNT = 1e12

/** A boost is multiplied by those around it. */
export const MAX_BOOST = 1e6
