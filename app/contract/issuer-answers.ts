/** Issuer answers and what they mean for the shop (decisions section 4). */
