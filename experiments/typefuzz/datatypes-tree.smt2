; Trees with a leaf of each colour.
(set-logic ALL)
(declare-datatypes ((Colour 0) (Tree 0)) (((red) (green) (blue)) ((leaf (colour Colour)) (node (left Tree) (right Tree)))))
(declare-const t Tree)
(assert ((_ is node) t))
(assert (distinct (left t) (right t)))
(assert (= (colour (left t)) blue))
(assert (not (= (right t) (node (left t) (leaf red)))))
(check-sat)
